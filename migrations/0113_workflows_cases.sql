-- Simulations of the draft with the result that their authors expect.
alter table workflows add column cases json not null default '[]';
