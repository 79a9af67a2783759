-- What the first look at a description needs, so that most of those that meet under a key need not be read.
-- Without one it is read, as before; `openseer regroup --all` makes those that are missing.
ALTER TABLE description ADD COLUMN sign BLOB;
