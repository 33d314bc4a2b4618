/** How many parts a text message is sent and charged as. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extended = '\f^{}\\[~]|€'

const units = new Map<string, number>([
  ...[...basic].map((char): [string, number] => [char, 1]),
  ...[...extended].map((char): [string, number] => [char, 2]),
])

/** A character that takes two units is never cut in two. */
function countParts(widths: number[], perPart: number): number {
  let count = 1
  let used = 0
  for (const width of widths) {
    if (used + width > perPart) {
      count += 1
      used = 0
    }
    used += width
  }
  return count
}

export function countSegments(text: string): number {
  const chars = [...text]
  const gsm = chars.every(char => units.has(char))
  const widths = chars.map(char => (gsm ? units.get(char)! : char.length))
  const total = widths.reduce((sum, width) => sum + width, 0)
  const [single, part] = gsm ? [160, 153] : [70, 67]
  return total <= single ? 1 : countParts(widths, part)
}
