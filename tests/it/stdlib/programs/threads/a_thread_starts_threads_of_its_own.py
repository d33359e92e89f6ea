import threading

seen = []


def spread(depth):
    seen.append(depth)
    if depth:
        child = threading.Thread(target=spread, args=(depth - 1,))
        child.start()
        child.join()


thread = threading.Thread(target=spread, args=(4,))
thread.start()
thread.join()
print(seen)

#| [4, 3, 2, 1, 0]
