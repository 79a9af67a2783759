-- Documents that are probably no papers are marked and listed, and an operator accepts them or drops them.
ALTER TABLE document ADD COLUMN scholarly DOUBLE PRECISION;              -- probability of being a paper; null: not known
ALTER TABLE document ADD COLUMN is_accepted INTEGER NOT NULL DEFAULT 0;  -- 1: an operator confirmed that it is a paper
CREATE INDEX document_added ON document (added_at);
