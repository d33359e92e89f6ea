import queue

last_in = queue.LifoQueue()
smallest = queue.PriorityQueue()
for item in (3, 1, 2):
    last_in.put(item)
    smallest.put((item, str(item)))
print([last_in.get() for _ in range(3)], [smallest.get()[1] for _ in range(3)])
try:
    last_in.get(timeout=0.01)
except queue.Empty:
    print("empty")
try:
    smallest.get_nowait()
except queue.Empty:
    print("empty too")
full = queue.Queue(1)
full.put("x")
try:
    full.put_nowait("y")
except queue.Full:
    print("full")

#| [2, 1, 3] ['1', '2', '3']
#| empty
#| empty too
#| full
