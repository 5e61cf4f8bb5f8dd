import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { AdminCustomEmoji } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { ActionButton } from '../shared/decisions/action-button.tsx'
import { ConfirmedButton } from '../shared/decisions/confirmed-button.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { StateMark } from '../shared/list/state-mark.tsx'
import { CopyEmojiDialog } from './copy-emoji-dialog.tsx'
import { EmojiCategories } from './emoji-categories.tsx'
import { EmojiDialog } from './emoji-dialog.tsx'
import { EmojiFilterForm } from './emoji-filter-form.tsx'
import type { EmojiFilters } from './emoji-filters.ts'
import { deleteEmoji, emojisQuery, setEmojiDisabled } from './emoji-queries.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './emoji-list.module.css'

const ORIGINS = [undefined, 'remote'] as const

/** The custom emojis that match the filters of the URL, the newest first. */
export function EmojiList({ filters }: { filters: EmojiFilters }) {
  const query = useInfiniteQuery(emojisQuery(filters))
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.accounts.origin')}>
        {ORIGINS.map((origin) => (
          <Link
            key={origin ?? 'local'}
            to="/admin/custom_emojis"
            search={origin ? { origin } : {}}
            activeOptions={{ exact: true }}
            aria-current={filters.origin === origin}
          >
            {message(`web.admin.accounts.origin.${origin ?? 'local'}`)}
          </Link>
        ))}
      </nav>
      <EmojiFilterForm filters={filters} />
      {filters.origin === undefined && <EmojiCategories />}
      <AdminList
        query={query}
        empty={message(Object.keys(filters).length > 0 ? 'web.admin.emojis.no-match' : 'web.admin.emojis.empty')}
      >
        {(emoji) => <EmojiRow emoji={emoji} />}
      </AdminList>
    </>
  )
}

/** The button that opens the form of a new emoji. */
export function NewEmoji() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        {message('web.admin.emojis.new')}
      </button>
      {isOpen && <EmojiDialog emoji={null} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function EmojiRow({ emoji }: { emoji: AdminCustomEmoji }) {
  const article = useRef<HTMLElement>(null)
  const { domain, category, disabled, visibleInPicker } = emoji
  const name = `:${emoji.shortcode}:`
  return (
    <article ref={article} className={row.row} tabIndex={0} aria-label={domain === null ? name : `${name} ${domain}`}>
      {emoji.staticUrl === null ? (
        <span className={styles.image} />
      ) : (
        <img className={styles.image} src={emoji.staticUrl} alt="" loading="lazy" decoding="async" />
      )}
      <div className={row.body}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {(domain ?? category) !== null && (
          <p className={admin.soft}>
            <bdi>{domain ?? category}</bdi>
          </p>
        )}
        {(disabled || (domain === null && !visibleInPicker)) && (
          <p className={admin.actions}>
            {disabled && <StateMark tone="alert">{message('web.admin.emojis.disabled')}</StateMark>}
            {domain === null && !visibleInPicker && (
              <StateMark tone="plain">{message('web.admin.emojis.unlisted')}</StateMark>
            )}
          </p>
        )}
      </div>
      <div className={admin.actions}>
        {domain === null ? <EditButton emoji={emoji} /> : <CopyButton emoji={emoji} />}
        <ActionButton
          label={message(disabled ? 'web.admin.enable' : 'web.admin.disable')}
          name={name}
          action={{
            run: () => setEmojiDisabled(emoji.id, !disabled),
            done: message(disabled ? 'web.admin.enabled-name' : 'web.admin.disabled-name', { name }),
            undo: () => setEmojiDisabled(emoji.id, disabled),
          }}
        />
        <ConfirmedButton
          label={message('web.admin.delete')}
          name={name}
          title={message('web.admin.delete-question', { name })}
          text={message('web.admin.emojis.delete-text')}
          action={{
            run: () => deleteEmoji(emoji.id),
            done: message('web.admin.deleted', { name }),
            after: () => focusNeighbour(article.current),
          }}
        />
      </div>
    </article>
  )
}

function EditButton({ emoji }: { emoji: AdminCustomEmoji }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button button-line button-small"
        aria-label={message('web.admin.edit-name', { name: `:${emoji.shortcode}:` })}
        onClick={() => setIsOpen(true)}
      >
        {message('web.admin.edit')}
      </button>
      {isOpen && <EmojiDialog emoji={emoji} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function CopyButton({ emoji }: { emoji: AdminCustomEmoji }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button button-line button-small"
        aria-label={`${message('web.admin.emojis.copy')}: :${emoji.shortcode}:`}
        onClick={() => setIsOpen(true)}
      >
        {message('web.admin.emojis.copy')}
      </button>
      {isOpen && <CopyEmojiDialog emoji={emoji} onClose={() => setIsOpen(false)} />}
    </>
  )
}
