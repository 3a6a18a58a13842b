-- written by the program of commit 6417fce6
PRAGMA application_id=1178946644;
PRAGMA user_version=8;
BEGIN TRANSACTION;
CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
INSERT INTO "players" VALUES('p1','Ann');
COMMIT;
