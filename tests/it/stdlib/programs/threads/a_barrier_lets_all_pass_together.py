import threading

barrier = threading.Barrier(3)
before, after = [], []


def meet(name):
    before.append(name)
    barrier.wait()
    after.append(len(before))


threads = [threading.Thread(target=meet, args=(name,)) for name in "abc"]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(before), after)

#| ['a', 'b', 'c'] [3, 3, 3]
