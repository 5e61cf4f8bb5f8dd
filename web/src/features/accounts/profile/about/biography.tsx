import { useMemo } from 'react'
import type { CustomEmoji } from '../../../../lib/api/entities.ts'
import { renderHtml } from '../../../../lib/html/render-html.tsx'
import { renderProfileLink } from '../profile-link.tsx'
import styles from './biography.module.css'

/** The biography of an account, or the value of one of its fields. */
export function Biography({ html, emojis }: { html: string; emojis: readonly CustomEmoji[] }) {
  const rendered = useMemo(() => renderHtml(html, { emojis, renderLink: renderProfileLink }), [html, emojis])
  return (
    <div className={styles.text} dir="auto">
      {rendered}
    </div>
  )
}
