import { Button } from '../../../ui/controls/button.tsx'
import { CopyIcon } from '../../../ui/controls/icons.tsx'
import { copyText } from '../../../ui/overlays/toasts.ts'
import { Section } from '../../section.tsx'
import styles from '../../settings.module.css'
import { texts } from './texts.ts'

/** The line that puts the chat on a page. */
export function EmbedCode({ inboxKey }: { inboxKey: string }) {
  const code = `<script async src="${location.origin}/widget.js" data-inbox="${inboxKey}"></script>`
  return (
    <Section title={texts().embed}>
      <p className={styles.muted}>{texts().embedHint}</p>
      <code className={styles.code}>{code}</code>
      <div>
        <Button icon={CopyIcon} onClick={() => void copyText(code, texts().codeCopied)}>
          {texts().copyCode}
        </Button>
      </div>
    </Section>
  )
}
