-- The tables of the library. Types that SQLite and PostgreSQL both understand; sequence numbers are given out
-- under the write lock, so they have no gaps.
CREATE TABLE document (
    sha1 TEXT PRIMARY KEY,
    sha256 TEXT NOT NULL,
    size BIGINT NOT NULL,
    mime TEXT NOT NULL,
    outcome TEXT,                                -- null until finished
    detail TEXT NOT NULL,
    visibility TEXT NOT NULL,
    generation BIGINT NOT NULL,                  -- the reading whose observations stand
    pages INTEGER NOT NULL,
    words INTEGER NOT NULL,
    language TEXT NOT NULL,
    simhash BIGINT,
    kept INTEGER NOT NULL,                       -- whether its bytes are in the file store
    added_at DOUBLE PRECISION NOT NULL
);
CREATE INDEX document_outcome ON document (outcome);

CREATE TABLE source (
    sha1 TEXT NOT NULL,
    url TEXT NOT NULL,
    parent TEXT NOT NULL,
    is_seed INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    fetched_at DOUBLE PRECISION NOT NULL,
    mime_told TEXT NOT NULL,
    PRIMARY KEY (sha1, url)
);

CREATE TABLE reading (                           -- what pages show of a document, without the file store
    sha1 TEXT PRIMARY KEY,
    generation BIGINT NOT NULL,
    body BLOB NOT NULL
);

CREATE TABLE description (
    id TEXT PRIMARY KEY,
    fields TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    born BIGINT NOT NULL
);

CREATE TABLE observation (
    sha1 TEXT NOT NULL,
    kind TEXT NOT NULL,
    place INTEGER NOT NULL,
    description TEXT NOT NULL,
    generation BIGINT NOT NULL,
    withdrawn INTEGER NOT NULL,
    PRIMARY KEY (sha1, kind, place)
);
CREATE INDEX observation_description ON observation (description, withdrawn);

CREATE TABLE bucket (                            -- typed keys; a key is a bucket, not a lock
    key TEXT NOT NULL,
    description TEXT NOT NULL,
    version INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    PRIMARY KEY (key, description)
);
CREATE INDEX bucket_description ON bucket (description);

CREATE TABLE verdict (
    low TEXT NOT NULL,
    high TEXT NOT NULL,
    score DOUBLE PRECISION NOT NULL,
    reason TEXT NOT NULL,
    version INTEGER NOT NULL,
    low_hash TEXT NOT NULL,
    high_hash TEXT NOT NULL,
    PRIMARY KEY (low, high)
);
CREATE INDEX verdict_high ON verdict (high);

CREATE TABLE bond (                              -- constraints: a person's decisions
    low TEXT NOT NULL,
    high TEXT NOT NULL,
    must INTEGER NOT NULL,
    PRIMARY KEY (low, high)
);
CREATE INDEX bond_high ON bond (high);

CREATE TABLE work (                              -- every description founds one; root is the work that holds it now
    id TEXT PRIMARY KEY,
    founder TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    visibility TEXT NOT NULL
);
CREATE INDEX work_root ON work (root);

CREATE TABLE task (
    sha1 TEXT NOT NULL,
    extractor TEXT NOT NULL,
    wanted INTEGER NOT NULL,
    generation BIGINT NOT NULL,
    state TEXT NOT NULL,
    priority INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    not_before DOUBLE PRECISION NOT NULL,
    lease_until DOUBLE PRECISION NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (sha1, extractor, wanted)
);
CREATE INDEX task_state ON task (state, priority, not_before);

CREATE TABLE change (
    sequence BIGINT PRIMARY KEY,
    work TEXT NOT NULL
);

CREATE TABLE act (
    id BIGINT PRIMARY KEY,
    at DOUBLE PRECISION NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    why TEXT NOT NULL,
    subject TEXT NOT NULL,
    inverse TEXT NOT NULL
);

CREATE TABLE alias (                             -- foreign and legacy ids
    name TEXT PRIMARY KEY,
    description TEXT NOT NULL
);
