/** A text as a QR code, for a device with a camera. */
import { encode } from 'uqr'
import styles from './qr-code.module.css'

export interface QrCodeProps {
  text: string
  label: string
}

/** The empty modules around the code that its standard demands. */
const border = 4

/** Undefined if the text is too long for a code. */
function draw(text: string) {
  try {
    const { size, data } = encode(text, { ecc: 'M', border })
    const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    return { size, path: squares.join('') }
  } catch {
    return undefined
  }
}

/** Dark on light in every theme: many scanners read nothing else. */
export function QrCode({ text, label }: QrCodeProps) {
  const code = draw(text)
  if (!code) return null
  const { size, path } = code
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect className={styles.paper} width={size} height={size} />
      <path className={styles.ink} d={path} />
    </svg>
  )
}
