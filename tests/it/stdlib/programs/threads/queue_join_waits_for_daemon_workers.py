import queue
import threading

jobs = queue.Queue()
done = []


def work():
    while True:
        job = jobs.get()
        done.append(job)
        jobs.task_done()


for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
for i in range(12):
    jobs.put(i)
jobs.join()
print(sorted(done), jobs.unfinished_tasks)

#| [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] 0
