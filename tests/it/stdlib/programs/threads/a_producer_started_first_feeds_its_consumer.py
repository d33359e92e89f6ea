import queue
import threading

items = queue.Queue()
seen = []


def produce():
    for i in range(5):
        items.put(i)
    items.put(None)


def consume():
    while (item := items.get()) is not None:
        seen.append(item * 10)


threads = [threading.Thread(target=produce), threading.Thread(target=consume)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(seen)

#| [0, 10, 20, 30, 40]
