import queue
import threading

items = queue.Queue(maxsize=2)
seen = []


def consume():
    while True:
        item = items.get()
        if item is None:
            return
        seen.append(item)


consumer = threading.Thread(target=consume)
consumer.start()
for i in range(10):
    items.put(i)
items.put(None)
consumer.join()
print(seen, items.empty())

#| [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] True
