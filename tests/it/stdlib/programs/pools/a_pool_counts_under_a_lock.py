import threading
from concurrent.futures import ThreadPoolExecutor

counts = {}
lock = threading.Lock()


def count(word):
    with lock:
        counts[word] = counts.get(word, 0) + 1


with ThreadPoolExecutor(max_workers=8) as pool:
    list(pool.map(count, "the cat and the dog and the bird".split()))
print(sorted(counts.items()))

#| [('and', 2), ('bird', 1), ('cat', 1), ('dog', 1), ('the', 3)]
