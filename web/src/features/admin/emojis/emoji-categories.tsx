import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { useAction } from '../shared/decisions/use-action.ts'
import { Field } from '../shared/form/field.tsx'
import { emojiCategoriesQuery, renameCategory } from './emoji-queries.ts'
import admin from '../shared/admin.module.css'
import filters from '../shared/form/filter-form.module.css'
import styles from './emoji-categories.module.css'

const MAX_CATEGORY_CHARACTERS = 100

/** The categories of this server's emojis, which can be renamed and joined. Nothing if there are none. */
export function EmojiCategories() {
  const { data: categories = [] } = useQuery(emojiCategoriesQuery)
  const [renamed, setRenamed] = useState<string | null>(null)
  if (categories.length === 0) return null
  return (
    <details className={filters.filters}>
      <summary className={filters.summary}>{message('web.admin.emojis.categories')}</summary>
      <ul className={styles.list}>
        {categories.map(({ name, emojisCount }) => (
          <li key={name} className={styles.item}>
            <span>
              <bdi>{name}</bdi> <span className={admin.soft}>{formatNumber(emojisCount)}</span>
            </span>
            <button
              type="button"
              className="button button-line button-small"
              aria-label={`${message('web.admin.emojis.rename')}: ${name}`}
              onClick={() => setRenamed(name)}
            >
              {message('web.admin.emojis.rename')}
            </button>
          </li>
        ))}
      </ul>
      {renamed !== null && <RenameDialog category={renamed} onClose={() => setRenamed(null)} />}
    </details>
  )
}

function RenameDialog({ category, onClose }: { category: string; onClose: () => void }) {
  const [name, setName] = useState(category)
  const [isBusy, setIsBusy] = useState(false)
  const { data: categories = [] } = useQuery(emojiCategoriesQuery)
  const act = useAction()
  const joins = name.trim() !== category && categories.some((other) => other.name === name.trim())
  const rename = async () => {
    setIsBusy(true)
    await act({
      run: () => renameCategory(category, name.trim()),
      done: message('web.admin.saved', { name: name.trim() }),
      // The emojis of joined categories cannot be separated again.
      ...(!joins && { undo: () => renameCategory(name.trim(), category) }),
      after: onClose,
    })
    setIsBusy(false)
  }
  return (
    <AdminDialog
      focus="first"
      title={message('web.admin.emojis.rename-title', { name: category })}
      confirm={message('web.admin.emojis.rename')}
      isBusy={isBusy}
      onConfirm={() => void rename()}
      onClose={onClose}
    >
      <Field
        label={message('web.admin.emojis.category')}
        hint={joins ? message('web.admin.emojis.joins', { name: name.trim() }) : undefined}
      >
        {(props) => (
          <input
            {...props}
            required
            dir="auto"
            autoComplete="off"
            maxLength={MAX_CATEGORY_CHARACTERS}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
    </AdminDialog>
  )
}
