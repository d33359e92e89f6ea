import threading

count = 0
lock = threading.Lock()


def add():
    global count
    for _ in range(1000):
        with lock:
            count += 1


threads = [threading.Thread(target=add) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(count, lock.locked())

#| 8000 False
