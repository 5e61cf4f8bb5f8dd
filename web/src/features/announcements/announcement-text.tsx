import type { Announcement } from '../../lib/api/entities.ts'
import { renderHtml } from '../../lib/html/render-html.tsx'
import { renderStatusLink } from '../statuses/content/status-link.tsx'
import styles from './announcement-bar.module.css'

type Content = Pick<Announcement, 'content' | 'emojis' | 'mentions' | 'tags'>

/** The text of an announcement as users read it. */
export function AnnouncementText({ announcement: { content, emojis, mentions, tags } }: { announcement: Content }) {
  return (
    <div className={styles.text} dir="auto">
      {renderHtml(content, { emojis, renderLink: (link) => renderStatusLink(link, { mentions, tags }) })}
    </div>
  )
}
