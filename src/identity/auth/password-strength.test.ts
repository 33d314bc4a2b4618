import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { isWeakPassword } from './password-strength.ts'

const context = { email: 'jane.rotterdam@northwind.example', workspace: 'Blue Harbour' }

describe('weak', () => {
  test.each([
    'password123',
    'Password1!',
    'P@ssw0rd2024',
    'pa$$w0rd1234',
    'Welcome2024!',
    'Summer2025!!',
    'Sommer2024!!',
    'Primavera2025',
    'motdepasse123',
    '1234567890',
    '0987654321',
    'qwertyuiop',
    '1q2w3e4r5t',
    'qwerty123456',
    'abcdefghij',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'letmeinplease',
    'iloveyou1234',
    'dragonmonkey',
    'correcthorsebatterystaple',
    'Tr0ub4dor&3',
    'admin admin admin',
    'ChangeMe123!',
    'jane.rotterdam',
    'Rotterdam2024!',
    'janerotterdam1',
    'BlueHarbour1!',
    'blue harbour 99',
    'northwind!23',
    'ｐａｓｓｗｏｒｄ１２３',
  ])('%s', password => expect(isWeakPassword(password, context)).toBe(true))
})

describe('accepted', () => {
  test.each([
    'correct horse battery',
    'a password of ones own',
    'long enough for it',
    'Zx8!kPq2vT',
    'wtfv kelp oxen',
    'пароль не для всех',
    '密碼不是很容易猜到的喔',
    'tea in rotterdam with lions',
  ])('%s', password => expect(isWeakPassword(password, context)).toBe(false))

  test('a thousand random passwords, as the command line generates them', () => {
    for (let n = 0; n < 1000; n++)
      expect(isWeakPassword(randomBytes(12).toString('base64url'), context)).toBe(false)
  })

  test('is fast for the longest passwords', () => {
    const started = performance.now()
    for (const unit of ['a', 'ab', '1!', 'passwor', '..'])
      isWeakPassword(unit.repeat(200).slice(0, 200), {
        email: `${'a'.repeat(60)}@example.com`,
        workspace: 'a'.repeat(200),
      })
    expect(performance.now() - started).toBeLessThan(within(200))
  })
})
