-- A work has no visibility of its own: it shows what its documents show. The column was always "public".
ALTER TABLE work DROP COLUMN visibility;
