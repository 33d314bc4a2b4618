/** A body that is JSON already, as the database has built it: it is sent as it is. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  /** For those that look into a body. */
  toJSON(): unknown {
    return JSON.parse(this.text)
  }
}

export function toJsonText(body: unknown): string {
  return body instanceof JsonText ? body.text : JSON.stringify(body)
}
