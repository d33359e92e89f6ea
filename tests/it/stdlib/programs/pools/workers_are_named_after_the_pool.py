import threading
from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor(max_workers=1, thread_name_prefix="fetch") as pool:
    print(list(pool.map(lambda _: threading.current_thread().name, range(3))))
    print(pool.submit(lambda: threading.current_thread() is threading.main_thread()).result())

#| ['fetch_0', 'fetch_0', 'fetch_0']
#| False
