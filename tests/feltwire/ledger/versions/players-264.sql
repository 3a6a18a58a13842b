-- written by the program of commit 3c6ba8b8
PRAGMA application_id=1178946644;
PRAGMA user_version=264;
BEGIN TRANSACTION;
CREATE TABLE penalties (
    event TEXT NOT NULL, player TEXT NOT NULL, day TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL,
    rule TEXT NOT NULL, major INTEGER NOT NULL, served TEXT NOT NULL) STRICT;
INSERT INTO "penalties" VALUES('e1','p3','2026-11-20','banned','cheating','house.conduct',0,'');
CREATE TABLE players (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
INSERT INTO "players" VALUES('p1','Ann');
INSERT INTO "players" VALUES('p3','José Peña');
INSERT INTO "players" VALUES('p2','');
COMMIT;
