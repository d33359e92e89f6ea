import threading
import time


def work(name, results):
    time.sleep(0.01)
    results[name] = name * 2


results = {}
threads = [threading.Thread(target=work, args=(i, results)) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(results.items()))

#| [(0, 0), (1, 2), (2, 4), (3, 6)]
