-- The further steps that the run took in the same transaction, in order: [{nodeId, type, outcome, input, output, detail}, …].
-- A missing input is {"type": "arrived"}, other missing members are null. A step that sent a message is never among them.
alter table workflow_steps add column following json;
