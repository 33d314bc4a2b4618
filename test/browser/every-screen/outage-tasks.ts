/** The main task of every screen. */
import { expect } from 'vitest'
import { listBuilderTasks, type PreparedBuilder, prepareBuilder } from './outage-builder-tasks.ts'
import { type Call, form, type Task, unreachable } from './outage-task.ts'

const namesOf = (items: { name: string }[]) => items.map(({ name }) => name)

interface Prepared {
  inboxId: string
  contactId: string
  conversationId: string
  segmentId: string
  campaignId: string
  journeyId: string
  builder: PreparedBuilder
}

export async function prepare(call: Call): Promise<Prepared> {
  const { inboxes } = await call('GET', '/inboxes')
  const inboxId = inboxes.find(({ channel }: { channel: string }) => channel === 'chatapp').id
  const content = { type: 'text', text: { body: 'Is anyone there?' } }
  await call('POST', '/sandbox/inbound', { inboxId, from: '+14155550180', content })
  const find = async () => (await call('GET', '/conversations')).conversations[0]
  await expect.poll(find).toBeDefined()
  const { id: conversationId, contactId } = await find()
  const filter = { match: 'all', conditions: [] }
  const segment = await call('POST', '/segments', { name: 'Everyone', filter })
  const campaign = await call('POST', '/campaigns', { name: 'Spring' })
  const journey = await call('POST', '/journeys', { name: 'Welcome' })
  return {
    inboxId,
    contactId,
    conversationId,
    segmentId: segment.id,
    campaignId: campaign.id,
    journeyId: journey.id,
    builder: await prepareBuilder(call, contactId),
  }
}

export function listTasks(prepared: Prepared): Task[] {
  const { inboxId, contactId, conversationId, segmentId, campaignId, journeyId, builder } = prepared
  return [
    {
      at: `/inbox/${conversationId}`,
      begin: page => page.getByRole('textbox', { name: 'Reply' }).fill('Yes, we are'),
      finish: page => page.getByRole('textbox', { name: 'Reply' }).press('Enter'),
      isAutomatic: true,
      says: 'Yes, we are',
      stored: async call => {
        const { items } = await call('GET', `/sandbox/sent?inboxId=${inboxId}`)
        return items.map(({ payload }: { payload: { text: { body: string } } }) => payload.text.body)
      },
      expected: 'Yes, we are',
    },
    form({
      at: '/contacts',
      open: 'New contact',
      label: 'Name',
      value: 'Ada Outage',
      submit: 'Create',
      stored: async call => {
        const filter = { match: 'all', conditions: [] }
        const { items } = await call('POST', '/contacts/search', { filter })
        return namesOf(items).filter(name => name === 'Ada Outage')
      },
    }),
    form({
      at: `/contacts/${contactId}?tab=notes`,
      label: 'Write a note about this contact',
      value: 'Called during the outage',
      submit: 'Add note',
      stored: async call => {
        const { notes } = await call('GET', `/contacts/${contactId}/notes`)
        return notes.map(({ text }: { text: string }) => text)
      },
    }),
    {
      at: '/contacts/import',
      begin: async page => {
        const buffer = Buffer.from('name,phone\nBo,+14155550181\n')
        const file = { name: 'outage.csv', mimeType: 'text/csv', buffer }
        await page.getByLabel('Choose a CSV file').setInputFiles(file)
        await page.getByRole('button', { name: 'Check the file' }).waitFor()
      },
      finish: page => page.getByRole('button', { name: 'Check the file' }).click(),
      says: unreachable,
      stored: async call => {
        const { imports } = await call('GET', '/contacts/imports')
        return imports.map(({ filename }: { filename: string }) => filename)
      },
      expected: 'outage.csv',
    },
    form({
      at: `/segments/${segmentId}`,
      label: 'Name',
      value: 'Everyone of us',
      submit: 'Save',
      stored: async call => namesOf((await call('GET', '/segments')).items),
    }),
    form({
      at: '/campaigns',
      open: 'New campaign',
      label: 'Name',
      value: 'Summer',
      submit: 'Create',
      stored: async call =>
        namesOf((await call('GET', '/campaigns')).items).filter(name => name === 'Summer'),
    }),
    {
      at: `/campaigns/${campaignId}`,
      begin: page => page.getByLabel('Name', { exact: true }).waitFor(),
      finish: page => page.getByLabel('Name', { exact: true }).fill('Late spring'),
      isAutomatic: true,
      says: 'Not saved',
      kept: { label: 'Name', value: 'Late spring' },
      stored: async call => [(await call('GET', `/campaigns/${campaignId}`)).name],
      expected: 'Late spring',
    },
    form({
      at: '/chatbots/new?template=empty',
      label: 'Name',
      value: 'Night desk',
      submit: 'Create',
      stored: async call => namesOf((await call('GET', '/chatbots')).chatbots),
    }),
    {
      at: `/journeys/${journeyId}`,
      begin: page => page.getByLabel('Name', { exact: true }).waitFor(),
      finish: page => page.getByLabel('Name', { exact: true }).fill('Welcome at night'),
      isAutomatic: true,
      says: 'Offline: changes are kept in this browser',
      kept: { label: 'Name', value: 'Welcome at night' },
      stored: async call => [(await call('GET', `/journeys/${journeyId}`)).name],
      expected: 'Welcome at night',
    },
    {
      at: '/search?q=anyone',
      begin: page => page.getByRole('searchbox', { name: 'Words' }).waitFor(),
      finish: page => page.getByRole('searchbox', { name: 'Words' }).fill('there'),
      isAutomatic: true,
      says: unreachable,
    },
    {
      at: '/reports',
      begin: page => page.getByLabel('Totals').waitFor(),
      finish: page => page.getByLabel('Group by').selectOption('Inbox'),
      isAutomatic: true,
      says: unreachable,
    },
    {
      at: '/settings',
      begin: page => page.getByLabel('Send with').waitFor(),
      finish: page => page.getByLabel('Send with').selectOption('mod+enter'),
      isAutomatic: true,
      says: 'Reconnecting…',
      kept: { label: 'Send with', value: 'mod+enter' },
      stored: async call => [(await call('GET', '/users/me/preferences')).console?.sendWith],
      expected: 'mod+enter',
    },
    form({
      at: '/settings/workspace',
      label: 'Name',
      value: 'Night shift',
      submit: 'Save',
      stored: async call => [(await call('GET', '/workspace')).name],
    }),
    form({
      at: '/settings/profile',
      label: 'Name',
      value: 'Olive Owner',
      submit: 'Save',
      stored: async call => namesOf((await call('GET', '/users')).users),
    }),
    form({
      at: '/settings/people',
      open: 'Invite',
      label: 'E-mail',
      value: 'night@example.com',
      submit: 'Invite',
      stored: async call => {
        const { items } = await call('GET', '/users/invitations')
        return items.map(({ email }: { email: string }) => email)
      },
    }),
    form({
      at: `/settings/inboxes/${inboxId}`,
      label: 'Greeting',
      value: 'Hello!',
      submit: 'Save',
      stored: async call => [(await call('GET', `/inboxes/${inboxId}`)).greeting],
    }),
    form({
      at: '/settings/saved-replies',
      open: 'New saved reply',
      label: 'Shortcut',
      more: { Text: 'We are back' },
      value: 'back',
      submit: 'Save',
      stored: async call => {
        const { savedReplies } = await call('GET', '/saved-replies')
        return savedReplies.map(({ shortcut }: { shortcut: string }) => shortcut)
      },
    }),
    form({
      at: '/settings/labels',
      open: 'New label',
      label: 'Name',
      value: 'night',
      submit: 'Save',
      stored: async call => namesOf((await call('GET', '/labels')).labels),
    }),
    form({
      at: '/settings/tags',
      open: 'New tag',
      label: 'Name',
      value: 'owl',
      submit: 'Save',
      stored: async call => namesOf((await call('GET', '/tags')).tags),
    }),
    form({
      at: '/settings/fields',
      open: 'New custom field',
      label: 'Name',
      value: 'Shift',
      submit: 'Save',
      stored: async call => {
        const { customFields } = await call('GET', '/contacts/custom-fields')
        return namesOf(customFields).filter(name => name === 'Shift')
      },
    }),
    form({
      at: '/settings/service-accounts',
      open: 'New service account',
      label: 'Name',
      value: 'Night shop',
      submit: 'Save',
      stored: async call => {
        const { serviceAccounts } = await call('GET', '/service-accounts')
        return namesOf(serviceAccounts).filter(name => name === 'Night shop')
      },
    }),
    form({
      at: '/settings/webhooks',
      open: 'New endpoint',
      label: 'URL',
      value: 'http://127.0.0.1:9/night',
      submit: 'Save',
      stored: async call => {
        const { endpoints } = await call('GET', '/webhooks/endpoints')
        return endpoints.map(({ url }: { url: string }) => url)
      },
    }),
    {
      at: '/settings/audit',
      begin: page => page.getByRole('textbox', { name: 'Id of the target' }).fill('ibx_none'),
      finish: page => page.getByRole('textbox', { name: 'Id of the target' }).press('Enter'),
      isAutomatic: true,
      says: unreachable,
    },
    ...listBuilderTasks(builder),
  ]
}
