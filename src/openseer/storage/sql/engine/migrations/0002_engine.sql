-- Keys as numbers, once; verdicts and observations in one tree each; own citations; who holds a task; jobs;
-- authors as printed; fingerprints by bands. What was grouped before is settled anew by `openseer regroup`.
ALTER TABLE description ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;  -- the keys and matcher it was grouped by
ALTER TABLE description ADD COLUMN keys BLOB;                           -- the keys it stands under, eight bytes each

DROP TABLE bucket;
CREATE TABLE bucket (                            -- hashes of typed keys; a key is a bucket, not a lock
    key BIGINT NOT NULL,
    description TEXT NOT NULL,
    PRIMARY KEY (key, description)
) WITHOUT ROWID;

CREATE TABLE new_verdict (                       -- gone when what it was said of reads differently
    low TEXT NOT NULL,
    high TEXT NOT NULL,
    score DOUBLE PRECISION NOT NULL,
    reason TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (low, high)
) WITHOUT ROWID;
INSERT INTO new_verdict SELECT low, high, score, reason, version FROM verdict;
DROP TABLE verdict;
ALTER TABLE new_verdict RENAME TO verdict;
CREATE INDEX verdict_high ON verdict (high);

CREATE TABLE new_observation (
    sha1 TEXT NOT NULL,
    kind TEXT NOT NULL,
    place INTEGER NOT NULL,
    description TEXT NOT NULL,
    generation BIGINT NOT NULL,
    withdrawn INTEGER NOT NULL,
    own INTEGER NOT NULL,                        -- whether the document and what it cites here share an author
    PRIMARY KEY (sha1, kind, place)
) WITHOUT ROWID;
INSERT INTO new_observation SELECT sha1, kind, place, description, generation, withdrawn, 0 FROM observation;
DROP TABLE observation;
ALTER TABLE new_observation RENAME TO observation;
CREATE INDEX observation_description ON observation (description, withdrawn);

ALTER TABLE task ADD COLUMN holder TEXT NOT NULL DEFAULT '';
CREATE INDEX task_holder ON task (holder);

CREATE TABLE job (
    id TEXT PRIMARY KEY,
    at DOUBLE PRECISION NOT NULL,
    what TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE TABLE job_document (                      -- progress is counted over these, never stored
    job TEXT NOT NULL,
    sha1 TEXT NOT NULL,
    PRIMARY KEY (job, sha1)
) WITHOUT ROWID;

CREATE TABLE authorship (                        -- one author place in a header or an imported record
    description TEXT NOT NULL,
    place INTEGER NOT NULL,
    family TEXT NOT NULL,                        -- as compared
    given TEXT NOT NULL,
    name TEXT NOT NULL,                          -- as printed
    affiliation TEXT NOT NULL,
    email TEXT NOT NULL,
    PRIMARY KEY (description, place)
) WITHOUT ROWID;
CREATE INDEX authorship_family ON authorship (family, given);

CREATE TABLE band (                              -- a quarter of a document's fingerprint; near ones share at least one
    band BIGINT NOT NULL,
    sha1 TEXT NOT NULL,
    PRIMARY KEY (band, sha1)
) WITHOUT ROWID;

ALTER TABLE change ADD COLUMN minor INTEGER NOT NULL DEFAULT 0;  -- 1: cited once more, or once less; nothing else
