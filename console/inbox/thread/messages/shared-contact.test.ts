/** Tests what an agent reads of a contact that a customer shared. */
import { expect, test } from 'vitest'
import { describeSharedContact } from './shared-contact.ts'

test.each([
  [
    {
      name: { formatted_name: 'Ada Byron', first_name: 'Ada' },
      phones: [{ phone: '+1 415 555 0100', wa_id: '1' }],
    },
    'Ada Byron · +1 415 555 0100',
  ],
  [
    { name: { first_name: 'Ada' }, emails: [{ email: 'ada@example.com', type: 'WORK' }] },
    'Ada · ada@example.com',
  ],
  [{ phones: [{ wa_id: '14155550100' }, { phone: '' }, null, 7] }, '14155550100'],
  [{ name: null, phones: 'none', emails: [{}] }, ''],
])('name, phone numbers and addresses, as far as the contact has them: %j', (contact, text) => {
  expect(describeSharedContact(contact)).toBe(text)
})
