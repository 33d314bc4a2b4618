import { createHmac } from 'node:crypto'

/** Encodes JSON in ASCII as the Graph platform does; the signature covers exactly these bytes. */
export function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, unit => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export function signGraph(appSecret: string, body: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}

/** Signs the configured URL followed by the form fields sorted by name. */
export function signTwilio(authToken: string, url: string, form: Record<string, string>): string {
  const fields = Object.keys(form).sort()
  const signed = fields.reduce((text, name) => text + name + form[name], url)
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64')
}
