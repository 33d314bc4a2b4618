/** How the providers sign what they send. */
import { createHmac } from 'node:crypto'

/** JSON in ASCII alone, as the Graph platform sends it; the signature covers exactly these bytes. */
export function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, unit => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export function signGraph(appSecret: string, body: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}

/** Over the full address as it was configured and the form's fields in order of their names. */
export function signTwilio(authToken: string, url: string, form: Record<string, string>): string {
  const fields = Object.keys(form).sort()
  const signed = fields.reduce((text, name) => text + name + form[name], url)
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64')
}
