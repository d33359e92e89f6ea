import threading

semaphore = threading.BoundedSemaphore(2)
lock = threading.Lock()
inside = most = 0


def work():
    global inside, most
    with semaphore:
        with lock:
            inside += 1
            most = max(most, inside)
        with lock:
            inside -= 1


threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(most <= 2, inside)
try:
    semaphore.release()
except ValueError as error:
    print(error)

#| True 0
#| Semaphore released too many times
