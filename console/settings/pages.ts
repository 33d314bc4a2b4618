/** The settings pages in groups, limited to those that the user may open. */
import { hasScope } from '../api/session.ts'
import { t } from '../i18n/i18n.ts'
import { texts } from './texts.ts'

const groups = [
  { id: 'own', pages: [['/settings'], ['/settings/profile', 'user:read_self']] },
  {
    id: 'workspace',
    pages: [
      ['/settings/workspace', 'workspace:read'],
      ['/settings/people', 'user:list'],
      ['/settings/inboxes', 'inbox:list'],
    ],
  },
  {
    id: 'content',
    pages: [
      ['/settings/saved-replies', 'saved_reply:list'],
      ['/settings/labels', 'label:list'],
      ['/settings/tags', 'tag:list'],
      ['/settings/fields', 'custom_field:list'],
    ],
  },
  {
    id: 'developers',
    pages: [
      ['/settings/service-accounts', 'api_key:list'],
      ['/settings/webhooks', 'webhook:read'],
      ['/settings/audit', 'audit:read'],
    ],
  },
] as const

type Path = (typeof groups)[number]['pages'][number][0]

export function listPages() {
  const names: Record<Path, string> = {
    '/settings': texts().preferences,
    '/settings/saved-replies': t.savedReplies,
    '/settings/labels': t.labels,
    '/settings/tags': t.tags,
    ...texts().pages,
  }
  return groups
    .map(({ id, pages }) => ({
      id,
      name: texts().groups[id],
      pages: pages
        .filter(([, scope]) => scope === undefined || hasScope(scope))
        .map(([to]) => ({ to, name: names[to] })),
    }))
    .filter(({ pages }) => pages.length > 0)
}
