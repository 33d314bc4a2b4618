-- Contacts, tags, workflows and versions are marked as deleted and never removed, so these references cannot dangle.
-- Writers read or lock the referenced rows in the transaction that inserts. Checking every inserted row again took a
-- third of the time to insert a run, and all transactions locked the row of the same workflow and version.
alter table workflow_runs
  drop constraint workflow_runs_tenant_id_contact_id_fkey,
  drop constraint workflow_runs_tenant_id_version_id_fkey,
  drop constraint workflow_runs_tenant_id_workflow_id_fkey;
alter table contact_tags
  drop constraint contact_tags_tenant_id_contact_id_fkey,
  drop constraint contact_tags_tenant_id_tag_id_fkey;
