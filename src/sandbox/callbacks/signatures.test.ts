import { expect, it } from 'vitest'
import { signGraph, signTwilio, toAsciiJson } from './signatures.ts'

it('signs Graph callbacks', () => {
  expect(signGraph('app_secret_example', '{"object":"whatsapp_business_account","entry":[]}')).toBe(
    'sha256=6eb10e0bc4192e9206e3de93178e66ea9eb262e9ea07bb66abdc83dcf8d3abf3',
  )
})

it('signs Twilio forms', () => {
  const form = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  }
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  expect(signTwilio('12345', url, form)).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
  const withHash = `${url}&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620`
  expect(signTwilio('12345', withHash, {})).toBe('a9nBmqA0ju/hNViExpshrM61xv4=')
})

it('escapes non-ASCII characters as UTF-16 units', () => {
  const escaped = toAsciiJson({ text: 'é 😀 \u007f' })
  expect(escaped).toBe('{"text":"\\u00e9 \\ud83d\\ude00 \\u007f"}')
  expect(JSON.parse(escaped)).toEqual({ text: 'é 😀 \u007f' })
})
