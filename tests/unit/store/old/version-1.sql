BEGIN TRANSACTION;
CREATE TABLE events (
        run_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        kind TEXT NOT NULL,
        v INTEGER NOT NULL,
        body TEXT NOT NULL,
        at TEXT NOT NULL,
        note_key TEXT,
        PRIMARY KEY (run_id, seq),
        UNIQUE (run_id, note_key),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
INSERT INTO "events" VALUES('r-old2',1,'run_started',1,'{"task":"7","title":"Add a check","profile":"task","contract":"verdict-line","base":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","start":"cccccccccccccccccccccccccccccccccccccccc","limit":3,"limit_unit":"reviews","agents":{},"gate":""}','2026-11-15T10:00:00.000Z',NULL);
INSERT INTO "events" VALUES('r-old2',2,'step_started',1,'{"step":{"role":"implement","cycle":0,"phase":"","part":"","ask":1}}','2026-11-15T10:00:00.000Z',NULL);
INSERT INTO "events" VALUES('r-old2',3,'step_finished',1,'{"step":{"role":"implement","cycle":0,"phase":"","part":"","ask":1},"result_type":"Change","result":{"role":"implement","commit":"cccccccccccccccccccccccccccccccccccccccc","tree":"tttttttttttttttttttttttttttttttttttttttt","before":"0000000000000000000000000000000000000000","title":"","said":"","dropped":[],"agent":"","isolation":"","usage":{"tokens_in":100,"tokens_out":50,"cost_usd":null}}}','2026-11-15T10:00:00.000Z',NULL);
INSERT INTO "events" VALUES('r-old2',4,'step_started',1,'{"step":{"role":"review","cycle":1,"phase":"","part":"","ask":1}}','2026-11-15T10:00:00.000Z',NULL);
INSERT INTO "events" VALUES('r-old2',5,'step_finished',1,'{"step":{"role":"review","cycle":1,"phase":"","part":"","ask":1},"result_type":"Review","result":{"verdict":"pass","native":"APPROVED","summary":"needs more","findings":[],"unclear":"","text":"","tree":"tttttttttttttttttttttttttttttttttttttttt","overruled":"","partial":false,"agent":"","isolation":"","left_behind":[],"usage":{"tokens_in":10,"tokens_out":5,"cost_usd":0.25}}}','2026-11-15T10:00:00.000Z',NULL);
INSERT INTO "events" VALUES('r-old2',6,'notice',1,'{"key":"no_gate","text":"no gate"}','2026-11-15T10:00:00.000Z','no_gate');
INSERT INTO "events" VALUES('r-old3',1,'run_started',1,'{"task":"7","title":"Add a check","profile":"task","contract":"verdict-line","base":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","start":"cccccccccccccccccccccccccccccccccccccccc","limit":3,"limit_unit":"reviews","agents":{},"gate":""}','2026-11-15T10:00:00.000Z',NULL);
INSERT INTO "events" VALUES('r-old3',2,'run_finished',1,'{"outcome":"passed","reason":"review_passed","message":"passed","verdict":null,"native":"","final_verdict":"approved","cycles":0,"fixes":0,"base":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","commit":null,"branch":null,"receipt":null,"cost":null,"tokens":0,"exit_code":0,"note":""}','2026-11-15T10:00:00.000Z',NULL);
CREATE TABLE leases (
        run_id TEXT NOT NULL,
        token TEXT NOT NULL,
        pid INTEGER NOT NULL,
        process_started TEXT NOT NULL,
        boot_id TEXT NOT NULL,
        pid_space TEXT NOT NULL,
        host TEXT NOT NULL,
        acquired_at TEXT NOT NULL,
        PRIMARY KEY (run_id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
INSERT INTO "leases" VALUES('r-old2','40e603e234a229be19926ae9baf6c29d',4194309,'1','a-boot-of-then','pid:[1]','a-machine-of-then','2026-11-15T10:00:00.000Z');
CREATE TABLE loops (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        task_ids TEXT DEFAULT '[]' NOT NULL,
        iteration INTEGER DEFAULT 0 NOT NULL,
        max_iterations INTEGER DEFAULT 20 NOT NULL,
        review_interval INTEGER,
        last_review_at INTEGER DEFAULT 0 NOT NULL,
        status TEXT DEFAULT 'pending' NOT NULL CHECK (status IN
            ('pending', 'running', 'needs_revision', 'stuck', 'completed', 'failed', 'interrupted')),
        same_error_count INTEGER DEFAULT 0 NOT NULL,
        no_progress_count INTEGER DEFAULT 0 NOT NULL,
        last_error TEXT,
        last_file_change_iteration INTEGER DEFAULT 0 NOT NULL,
        last_activity_at TEXT,
        cost_usd REAL DEFAULT 0,
        worktree_path TEXT,
        phase TEXT DEFAULT '' NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
INSERT INTO "loops" VALUES('loop-1','r-old2','[]',3,20,NULL,0,'needs_revision',0,0,NULL,0,NULL,0.0,NULL,'');
CREATE TABLE pending_conflicts (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        loop_id TEXT NOT NULL,
        task_id TEXT,
        files TEXT DEFAULT '[]' NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
CREATE TABLE phase_costs (
        run_id TEXT NOT NULL,
        phase TEXT NOT NULL,
        cost_usd REAL DEFAULT 0 NOT NULL,
        PRIMARY KEY (run_id, phase),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
CREATE TABLE phase_history (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        phase TEXT NOT NULL,
        success INTEGER NOT NULL,
        cost_usd REAL DEFAULT 0,
        summary TEXT DEFAULT '' NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
CREATE TABLE plan_groups (
        run_id TEXT NOT NULL,
        group_index INTEGER NOT NULL,
        task_ids TEXT DEFAULT '[]' NOT NULL,
        UNIQUE (run_id, group_index),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
CREATE TABLE review_issues (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        task_id TEXT,
        file TEXT DEFAULT '' NOT NULL,
        line INTEGER,
        type TEXT NOT NULL CHECK (type IN
            ('over-engineering', 'missing-error-handling', 'pattern-violation', 'dead-code',
            'spec-intent-mismatch')),
        description TEXT NOT NULL,
        suggestion TEXT DEFAULT '' NOT NULL,
        created_at TEXT NOT NULL,
        PRIMARY KEY (id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
INSERT INTO "review_issues" VALUES('issue-1','r-old2','task-1','app.py',3,'dead-code','never called','','2026-11-15T10:00:00.000Z');
CREATE TABLE runs (
        id TEXT NOT NULL,
        spec_path TEXT DEFAULT '' NOT NULL,
        effort TEXT DEFAULT 'medium' NOT NULL CHECK (effort IN ('low', 'medium', 'high', 'max')),
        phase TEXT DEFAULT '' NOT NULL,
        pending_review INTEGER DEFAULT 0 NOT NULL,
        review_type TEXT,
        revision_count INTEGER DEFAULT 0 NOT NULL,
        max_loops INTEGER DEFAULT 4 NOT NULL,
        max_iterations INTEGER DEFAULT 20 NOT NULL,
        total_cost_usd REAL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        base_branch TEXT,
        use_worktrees INTEGER DEFAULT 1 NOT NULL,
        interpreted_intent TEXT,
        intent_satisfied INTEGER,
        parent_id TEXT,
        task TEXT DEFAULT '' NOT NULL,
        repository TEXT DEFAULT '' NOT NULL,
        title TEXT DEFAULT '' NOT NULL,
        prompt TEXT DEFAULT '' NOT NULL,
        profile TEXT DEFAULT '' NOT NULL,
        contract TEXT DEFAULT '' NOT NULL,
        spec TEXT DEFAULT '{}' NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'finished')),
        outcome TEXT,
        reason TEXT,
        message TEXT DEFAULT '' NOT NULL,
        verdict TEXT,
        native TEXT DEFAULT '' NOT NULL,
        final_verdict TEXT DEFAULT '' NOT NULL,
        cycles INTEGER DEFAULT 0 NOT NULL,
        fixes INTEGER DEFAULT 0 NOT NULL,
        tokens BIGINT DEFAULT 0 NOT NULL,
        base TEXT DEFAULT '' NOT NULL,
        start TEXT DEFAULT '' NOT NULL,
        commit_sha TEXT,
        branch TEXT,
        receipt TEXT,
        note TEXT DEFAULT '' NOT NULL,
        exit_code INTEGER,
        cancel_requested INTEGER DEFAULT 0 NOT NULL,
        finished_at TEXT,
        PRIMARY KEY (id)
    );
INSERT INTO "runs" VALUES('r-old2','','medium','',0,NULL,0,4,20,0.25,'2026-11-15T10:00:00.000Z','2026-11-15T10:00:00.000Z',NULL,1,NULL,NULL,NULL,'7','/somewhere/repo','Add a check','Add a check
please','task','verdict-line','{"prompt":"Add a check"}','running',NULL,NULL,'','pass','APPROVED','',1,0,165,'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','cccccccccccccccccccccccccccccccccccccccc',NULL,NULL,NULL,'',NULL,0,NULL);
INSERT INTO "runs" VALUES('r-old3','','medium','',0,NULL,0,4,20,NULL,'2026-11-15T10:00:00.000Z','2026-11-15T10:00:00.000Z',NULL,1,NULL,NULL,NULL,'7','/somewhere/repo','Add a check','Add a check
please','task','verdict-line','{"prompt":"Add a check"}','finished','passed','review_passed','passed',NULL,'','approved',0,0,0,'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb','cccccccccccccccccccccccccccccccccccccccc',NULL,NULL,NULL,'',0,0,'2026-11-15T10:00:00.000Z');
CREATE TABLE schema_migrations (
        number INTEGER NOT NULL,
        name TEXT NOT NULL,
        applied_at TEXT NOT NULL,
        PRIMARY KEY (number)
    );
INSERT INTO "schema_migrations" VALUES(1,'base','2026-11-15T09:15:47.388Z');
CREATE TABLE steps (
        run_id TEXT NOT NULL,
        key TEXT NOT NULL,
        role TEXT NOT NULL,
        phase TEXT NOT NULL,
        cycle INTEGER NOT NULL,
        part TEXT NOT NULL,
        ask INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('started', 'finished')),
        attempts INTEGER DEFAULT 1 NOT NULL,
        result TEXT,
        intent TEXT,
        started_at TEXT NOT NULL,
        finished_at TEXT,
        PRIMARY KEY (run_id, key),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
INSERT INTO "steps" VALUES('r-old2','implement//0//1','implement','',0,'',1,'finished',1,'{"type":"Change","value":{"role":"implement","commit":"cccccccccccccccccccccccccccccccccccccccc","tree":"tttttttttttttttttttttttttttttttttttttttt","before":"0000000000000000000000000000000000000000","title":"","said":"","dropped":[],"agent":"","isolation":"","usage":{"tokens_in":100,"tokens_out":50,"cost_usd":null}}}',NULL,'2026-11-15T10:00:00.000Z','2026-11-15T10:00:00.000Z');
INSERT INTO "steps" VALUES('r-old2','review//1//1','review','',1,'',1,'finished',1,'{"type":"Review","value":{"verdict":"pass","native":"APPROVED","summary":"needs more","findings":[],"unclear":"","text":"","tree":"tttttttttttttttttttttttttttttttttttttttt","overruled":"","partial":false,"agent":"","isolation":"","left_behind":[],"usage":{"tokens_in":10,"tokens_out":5,"cost_usd":0.25}}}',NULL,'2026-11-15T10:00:00.000Z','2026-11-15T10:00:00.000Z');
CREATE TABLE tasks (
        id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        title TEXT NOT NULL,
        description TEXT DEFAULT '' NOT NULL,
        status TEXT DEFAULT 'pending' NOT NULL
            CHECK (status IN ('pending', 'in_progress', 'completed', 'failed')),
        dependencies TEXT DEFAULT '[]' NOT NULL,
        estimated_iterations INTEGER DEFAULT 10 NOT NULL,
        assigned_loop_id TEXT,
        PRIMARY KEY (run_id, id),
        FOREIGN KEY(run_id) REFERENCES runs (id)
    );
INSERT INTO "tasks" VALUES('task-1','r-old2','Scaffold','','pending','[]',10,NULL);
CREATE INDEX runs_by_time ON runs (created_at);
COMMIT;
