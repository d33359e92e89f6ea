import time
from concurrent.futures import ThreadPoolExecutor

done = []


def work(n):
    time.sleep(0.01)
    done.append(n)


with ThreadPoolExecutor(max_workers=2) as pool:
    for n in range(5):
        pool.submit(work, n)
print(sorted(done))
try:
    pool.submit(work, 9)
except RuntimeError as error:
    print(error)

#| [0, 1, 2, 3, 4]
#| cannot schedule new futures after shutdown
