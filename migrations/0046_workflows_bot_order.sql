-- Several bots may reply for a team. They are tried in their order; ties are broken by id.
alter table workflows add column position int not null default 0;
update workflows w set position = ranked.position
from (select tenant_id, id, row_number() over (partition by tenant_id order by id) as position
  from workflows where kind = 'chatbot') ranked
where w.tenant_id = ranked.tenant_id and w.id = ranked.id;

alter table bot_assignments add column position int not null default 0;
update bot_assignments a set position = w.position from workflows w
where w.tenant_id = a.tenant_id and w.id = a.bot_id;
alter table bot_assignments drop constraint bot_assignments_pkey, add primary key (tenant_id, team_id, bot_id);
