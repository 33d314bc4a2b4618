/** Lists and counts of the API, with hand-written SQL for those that are more than an index scan. */
import { ownTeam } from './tenant.ts'

interface ListAsk {
  title: string
  method: string
  path: string
  body?: unknown
  /** Hand-written SQL; absent for plain index scans. */
  byHand?: (from: string) => string
  /** Whether a sequential scan is acceptable because much of the table is read. */
  wide?: boolean
}

const active = 'from contacts c where c.tenant_id = $1 and c.deleted_at is null and c.archived_at is null'
/** Rows visible to each caller. */
export const froms = {
  owner: active,
  agent: `from contacts c join contact_activity a on a.tenant_id = c.tenant_id and a.contact_id = c.id
    where c.tenant_id = $1 and c.deleted_at is null and c.archived_at is null and (a.conversation_count = 0 or c.id in (
      select contact_id from contact_conversations
      where tenant_id = $1 and (team_id = '${ownTeam}' or owner_id = 'usr_bench')))`,
}
const newest = 'order by c.id desc limit 51'
const all = { filter: { match: 'all', conditions: [] } }
const common = { filter: { match: 'all', conditions: [{ type: 'searchText', text: 'common' }] } }

export const lists: ListAsk[] = [
  { title: 'GET /contacts', method: 'GET', path: '/contacts' },
  { title: 'GET /contacts?archived', method: 'GET', path: '/contacts?archived=true' },
  { title: 'GET /contacts?search (rare)', method: 'GET', path: '/contacts?search=seldom' },
  {
    title: 'GET /contacts?search (phone)',
    method: 'GET',
    path: '/contacts?search=%2B12000777',
    byHand: from => `select c.id ${from} and c.search like '%+12000777%' ${newest}`,
  },
  {
    title: 'GET /contacts?search (two letters, absent)',
    method: 'GET',
    path: '/contacts?search=qx',
    byHand: from => `select c.id ${from} and c.search like '%qx%' ${newest}`,
  },
  { title: 'GET /contacts?search (王伟)', method: 'GET', path: '/contacts?search=%E7%8E%8B%E4%BC%9F' },
  {
    title: 'GET /contacts?customFields',
    method: 'GET',
    path: '/contacts?customFields[cf_email]=user4711@example.com',
  },
  {
    title: 'GET /contacts/count',
    method: 'GET',
    path: '/contacts/count',
    byHand: from => `select count(*) ${from}`,
  },
  { title: 'GET /tags', method: 'GET', path: '/tags' },
  {
    title: 'POST /contacts/search by name',
    method: 'POST',
    path: '/contacts/search',
    body: { ...common, sort: { field: 'name', direction: 'asc' } },
  },
  {
    title: 'POST /contacts/search/count',
    method: 'POST',
    path: '/contacts/search/count',
    body: all,
    byHand: from => `select count(*) ${from}`,
  },
  {
    title: 'POST /contacts/search/count (a third)',
    method: 'POST',
    path: '/contacts/search/count',
    body: common,
    byHand: from => `select count(*) ${from} and c.search like '%common%'`,
    wide: true,
  },
]
