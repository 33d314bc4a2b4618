/**
 * How a move treats each table. A test compares this list with the schema, so that a new table is thought about:
 *
 * - copied: ahead of the switch, while the workspace works. Changes are captured.
 * - staged: during the pause. These are small tables that start work of their own, such as jobs, and tables without a key.
 * - stays: belongs to the cell, or to the move itself.
 */

export interface Treatment {
  kind: 'copied' | 'staged' | 'stays'
  /**
   * Whether writes are refused during the pause and after the switch. Tables that are written for many workspaces by one
   * statement are not fenced: their writers are stopped by other means (`queues.ts`).
   */
  isFenced: boolean
}

const copied: Treatment = { kind: 'copied', isFenced: true }
const copiedUnfenced: Treatment = { kind: 'copied', isFenced: false }
const staged: Treatment = { kind: 'staged', isFenced: true }
const stagedUnfenced: Treatment = { kind: 'staged', isFenced: false }
const stays: Treatment = { kind: 'stays', isFenced: false }

const names = (text: string) => text.trim().split(/\s+/)

const lists: readonly (readonly [Treatment, readonly string[]])[] = [
  [
    copied,
    names(`
      api_keys audit_log auth_sessions bot_assignments campaign_recipients campaign_timeline chatbot_teams
      contact_activity contact_bulk_items contact_chats contact_conversations contact_events contact_field_values
      contact_identities contact_import_errors contact_notes contact_opt_outs contact_tags contacts
      conversation_addresses conversation_bulk_items conversation_counts conversation_drafts conversation_events
      conversation_labels conversation_notes conversation_sessions conversation_states conversation_surveys
      conversations custom_fields idempotency_keys invitations labels macros media media_shares media_usage media_uses
      message_failures message_search message_timeline messages note_search notification_preferences notifications
      open_conversation_teams password_resets provider_events reactions read_cursors recovery_codes refresh_tokens
      round_robin_cursors saved_replies scheduled_messages second_factors segment_memberships segments
      service_accounts tags team_members teams unread_counters user_availability user_preferences users view_orders
      views webchat_blocks webchat_visitors workflow_node_counts workflow_runs workflow_sandbox_clocks
      workflow_secrets workflow_steps workflow_version_counts workflow_versions`),
  ],
  [copiedUnfenced, names('event_log webhook_attempts webhook_backlog webhook_deliveries')],
  [
    staged,
    names(`
      campaign_progress campaign_rate_limits campaigns contact_bulk_actions contact_count_deltas contact_counts
      contact_imports conversation_bulk_actions conversation_facts dead_jobs event_offsets inboxes
      pending_credentials provider_account_grants push_subscriptions realtime_tickets search_backfills tenants
      tracked_segments webhook_keys webhook_settings workflow_count_deltas workflow_schedules workflows`),
  ],
  [stagedUnfenced, names('event_consumer_queue event_heads job_lanes jobs webhook_endpoint_state')],
  [
    stays,
    names(`
      crons directory_accounts directory_cells directory_workspaces event_consumers installations migrations outbox
      token_buckets workspace_move_changes workspace_move_progress workspace_move_rows workspace_moves`),
  ],
]

const treatments = new Map(lists.flatMap(([treatment, tables]) => tables.map(name => [name, treatment])))

export function findTreatment(table: string): Treatment | undefined {
  return treatments.get(table)
}

export function listTreated(): string[] {
  return [...treatments.keys()]
}

/** Columns that identify a row, where the primary key does not begin with the workspace and another unique index does. */
export const otherKeys: Readonly<Record<string, readonly string[]>> = { provider_events: ['tenant_id', 'id'] }

/** Sequences of a cell that order rows of a workspace: in the target they continue above the rows that arrived. */
export const orderingSequences: readonly string[] = [
  'conversation_draft_revisions',
  'conversation_entries_n',
  'message_timeline_n_seq',
  'provider_events_id_seq',
]
