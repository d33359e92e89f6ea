import threading

lock = threading.Lock()
with lock:
    print(lock.acquire(blocking=False), lock.acquire(timeout=0.01))
print(lock.acquire(blocking=False))
lock.release()
try:
    lock.release()
except RuntimeError as error:
    print(error)

#| False False
#| True
#| release unlocked lock
