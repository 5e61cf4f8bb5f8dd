import { renderEmojis, renderHtml } from '../../../lib/html/render-html.tsx'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { useStatus } from '../../statuses/content/use-status.ts'
import type { StoredStatus } from '../../statuses/status-store.ts'
import styles from './context-status.module.css'

/** The post that is replied to or quoted. */
export function ContextStatus({
  kind,
  id,
  onRemove = null,
}: {
  kind: 'reply' | 'quote'
  id: string
  onRemove?: (() => void) | null
}) {
  const status = useStatus(id)
  if (!status) return null
  const { account, mediaAttachments } = status
  const name = account.displayName || account.username
  return (
    <section className={styles[kind]} aria-label={message(`web.composer.${kind}-preview`, { name })}>
      <Avatar account={account} size="s" />
      <p className={styles.author}>
        <strong className="cut-line">
          <DisplayName account={account} />
        </strong>{' '}
        <span className={`cut-line ${styles.handle}`}>
          <bdi>@{account.acct}</bdi>
        </span>
      </p>
      {onRemove && (
        <button
          type="button"
          className={styles.remove}
          aria-label={message('web.composer.remove-quote')}
          title={message('web.composer.remove-quote')}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      )}
      <div className={styles.text} dir="auto" lang={status.language ?? undefined}>
        <Excerpt status={status} />
        {mediaAttachments.length > 0 && (
          <p className={styles.media}>
            <Icon name="image" />
            {message('web.status.media-count', { count: mediaAttachments.length })}
          </p>
        )}
      </div>
    </section>
  )
}

/** The content warning, or the text, without links that would lead away from the composer. */
function Excerpt({ status: { spoilerText, content = '', emojis } }: { status: StoredStatus }) {
  if (spoilerText !== '') return <p>{renderEmojis(spoilerText, new Map(emojis.map((one) => [one.shortcode, one])))}</p>
  return renderHtml(content, { emojis, renderLink: ({ children }) => children })
}
