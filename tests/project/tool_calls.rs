//! Tool calls out of a child process: from threads, from other processes, and when their cell is over.

use hermes_tests::{Scripted, Session, builder};

#[tokio::test]
async fn ten_threads_each_get_their_own_answer() {
    let runtime = builder().tool(Scripted::echo()).build().unwrap();
    Session::on(&runtime)
        .run("from concurrent.futures import ThreadPoolExecutor\nfrom hermes_tools import echo\nwith ThreadPoolExecutor(10) as pool:\n    answers = list(pool.map(lambda n: echo(str(n))['text'], range(40)))\nprint(answers == [str(n) for n in range(40)])")
        .await
        .succeeds()
        .output("True\n")
        .tool_calls(40);
}

#[tokio::test]
async fn a_client_of_the_plain_protocol_is_served() {
    let runtime = builder().tool(Scripted::echo()).build().unwrap();
    Session::on(&runtime)
        .run(
            "import json, os, socket\ns = socket.socket(socket.AF_UNIX)\ns.connect(os.environ['HERMES_RPC_SOCKET'])\nfile = s.makefile('rw')\n\
             for token in (os.environ['HERMES_RPC_TOKEN'], 'wrong'):\n    file.write(json.dumps({'tool': 'echo', 'args': {'text': 'é'}, 'token': token}) + '\\n')\n    file.flush()\n    print(json.loads(file.readline()))",
        )
        .await
        .succeeds()
        .output("{'text': 'é'}\n{'error': 'Unauthorized RPC request'}\n")
        .tool_calls(1);
}

#[tokio::test]
async fn processes_of_a_script_can_call_tools_too() {
    // Of its own: what other cases leave in theirs could be imported in place of ours.
    let place = tempfile::tempdir().unwrap();
    let runtime = builder()
        .workdir(place.path())
        .tool(Scripted::echo())
        .build()
        .unwrap();
    Session::on(&runtime)
        .run(
            "import os, subprocess, sys\nfrom hermes_tools import echo\nprint(echo('parent')['text'], flush=True)\n\
             subprocess.run([sys.executable, '-c', 'from hermes_tools import echo; print(echo(\"other\")[\"text\"])'])\n\
             pid = os.fork()\nif not pid:\n    print(echo('fork')['text'], flush=True)\n    os._exit(0)\nos.waitpid(pid, 0)\nprint(echo('parent again')['text'])",
        )
        .await
        .succeeds()
        .output("parent\nfork\nparent again\nother\n")
        .tool_calls(4);
}

#[tokio::test]
async fn a_call_after_its_cell_is_refused_and_a_later_cell_has_its_own_right() {
    let runtime = builder().tool(Scripted::echo()).build().unwrap();
    let session = Session::on(&runtime);
    session
        .run("import threading\nfrom hermes_tools import echo\nstart, done, late = threading.Event(), threading.Event(), []\ndef work():\n    start.wait()\n    late.append(echo('late'))\n    done.set()\nthreading.Thread(target=work, daemon=True).start()\ndef again(): return echo('again')['text']\nimport threading\nthreading.Timer(0.05, start.set).start()")
        .await
        .succeeds()
        .tool_calls(0);
    let finished = session
        .run("done.wait()\nprint(late[0].get('error', late[0]))\nprint(again())")
        .await;
    finished.succeeds();
    let output = &finished.outcome().output;
    let retired = "No active execute_code cell: the cell this kernel call belonged to has settled, so its tool authority is retired.\nagain\n";
    // A call that came only when this cell had begun is this cell's.
    assert!(
        [retired, "{'text': 'late'}\nagain\n"].contains(&output.as_str()),
        "{finished}"
    );
}

#[tokio::test]
async fn a_hundred_threads_at_once_all_get_answers() {
    let runtime = builder()
        .tool(Scripted::echo())
        .max_tool_calls(200)
        .build()
        .unwrap();
    Session::on(&runtime)
        .run("import threading\nfrom hermes_tools import echo\nbarrier, answers = threading.Barrier(100), []\ndef call(number):\n    barrier.wait()\n    answers.append(echo(str(number))['text'])\nthreads = [threading.Thread(target=call, args=(number,)) for number in range(100)]\nfor each in threads: each.start()\nfor each in threads: each.join()\nprint(sorted(map(int, answers)) == list(range(100)))")
        .await
        .succeeds()
        .output("True\n")
        .tool_calls(100);
}

#[tokio::test]
async fn more_processes_than_the_host_serves_at_once_all_get_answers() {
    let runtime = builder()
        .tool(Scripted::echo())
        .max_tool_calls(200)
        .build()
        .unwrap();
    // Each keeps its connection until all have been answered.
    Session::on(&runtime)
        .run("import os\nfrom hermes_tools import echo\nanswers, answered = os.pipe()\nready, go = os.pipe()\nchildren = []\nfor number in range(70):\n    child = os.fork()\n    if child == 0:\n        os.close(go)\n        echo(str(number))\n        os.write(answered, b'x')\n        os.read(ready, 1)\n        os._exit(0)\n    children.append(child)\ncount = 0\nwhile count < 70: count += len(os.read(answers, 70))\nos.close(go)\nfor child in children: os.waitpid(child, 0)\nprint(count)")
        .await
        .succeeds()
        .output("70\n")
        .tool_calls(70);
}

#[tokio::test]
async fn an_emptied_environment_and_a_default_time_limit_do_not_keep_a_script_from_its_tools() {
    let runtime = builder().tool(Scripted::echo()).build().unwrap();
    Session::on(&runtime)
        .run("import os, socket\nos.environ.clear()\nsocket.setdefaulttimeout(0.000001)\nfrom hermes_tools import echo\nprint(echo('x')['text'])")
        .await
        .succeeds()
        .output("x\n")
        .tool_calls(1);
}
