import threading

lock = threading.RLock()


def outer():
    with lock:
        return inner() + 1


def inner():
    with lock:
        return 1


results = []
threads = [threading.Thread(target=lambda: results.append(outer())) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(results)

#| [2, 2, 2]
