import queue
import threading

jobs, results = queue.Queue(), queue.Queue()


def work():
    for job in iter(jobs.get, None):
        results.put(job * job)


workers = [threading.Thread(target=work) for _ in range(4)]
for worker in workers:
    worker.start()
for i in range(20):
    jobs.put(i)
for _ in workers:
    jobs.put(None)
for worker in workers:
    worker.join()
print(sorted(results.get() for _ in range(results.qsize())))

#| [0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361]
