-- What texts mean, as small numbers; named by the text, so that whatever has the same title and abstract shares it.
CREATE TABLE vector (
    text BIGINT PRIMARY KEY,                     -- hash of title and abstract
    body BLOB NOT NULL
);
