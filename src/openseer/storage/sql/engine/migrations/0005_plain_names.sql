-- Tables and columns get the field's names; an authorship keeps the author's ORCID; the unused table alias goes.
ALTER TABLE reading RENAME TO document_summary;
ALTER TABLE bucket RENAME TO blocking_key;
ALTER TABLE verdict RENAME TO match_link;
ALTER TABLE bond RENAME TO link_constraint;
ALTER TABLE band RENAME TO simhash_band;
ALTER TABLE vector RENAME TO embedding;
ALTER TABLE act RENAME TO curation_action;
ALTER TABLE change RENAME TO work_change;
DROP TABLE alias;

ALTER TABLE document RENAME COLUMN kept TO is_stored;            -- whether its bytes are in the file store
ALTER TABLE source RENAME COLUMN mime_told TO reported_mime;
ALTER TABLE description RENAME COLUMN born TO created_ms;
ALTER TABLE description RENAME COLUMN settled TO resolved_version;  -- of the blocking keys and matcher; 0: never
ALTER TABLE description RENAME COLUMN keys TO blocking_keys;     -- hashes, eight bytes each
ALTER TABLE description RENAME COLUMN sign TO sketch;
ALTER TABLE observation RENAME COLUMN place TO position;         -- in the document summary
ALTER TABLE observation RENAME COLUMN withdrawn TO retracted;
ALTER TABLE observation RENAME COLUMN own TO is_self_citation;
ALTER TABLE work RENAME COLUMN founder TO description_id;        -- the description that minted the id
ALTER TABLE work RENAME COLUMN root TO canonical_id;             -- the work that holds this description now
ALTER TABLE task RENAME COLUMN wanted TO extractor_version;
ALTER TABLE task RENAME COLUMN holder TO lease_owner;
ALTER TABLE authorship RENAME COLUMN place TO position;
ALTER TABLE work_change RENAME COLUMN minor TO counts_only;      -- 1: only the number of citations changed
ALTER TABLE embedding RENAME COLUMN text TO text_hash;           -- of title and abstract

ALTER TABLE authorship ADD COLUMN orcid TEXT NOT NULL DEFAULT '';

-- Extractor versions: the sum of the parts' versions becomes a hash of their names and versions. This is the hash of the
-- extractors of the release before, whose sum was 23, so that no document is read again because of this change.
UPDATE task SET extractor_version = 1402766675 WHERE extractor = 'reader' AND extractor_version = 23;
