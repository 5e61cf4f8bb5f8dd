import { useQuery } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import type { KeyboardEvent, SyntheticEvent } from 'react'
import type { CustomEmoji } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { clientSettings, useClientSettings } from '../../lib/settings.ts'
import { customEmojisQuery, groupEmojis, searchEmojis } from './custom-emojis.ts'
import { EmojiGrid } from './emoji-grid.tsx'
import type { EmojiChoice } from './emoji-grid.tsx'
import { rememberEmoji, unicodeEmojisQuery } from './emoji-queries.ts'
import { EmojiTabs } from './emoji-tabs.tsx'
import type { EmojiTab } from './emoji-tabs.tsx'
import { SkinTones } from './skin-tones.tsx'
import { findRow, GROUPS, searchUnicodeEmojis, withTone } from './unicode-emojis.ts'
import type { EmojiRow } from './unicode-emojis.ts'
import styles from './emoji-picker.module.css'

type Section = Parameters<typeof EmojiGrid>[0]['sections'][number]

/**
 * The emojis of Unicode and of the server by group, with a search, the ones used last, and skin tones. `onPick` receives
 * a character, or the code of a custom emoji with its colons.
 */
export function EmojiPicker({ onPick }: { onPick: (text: string) => void }) {
  const panelId = useId()
  const { data: custom = [] } = useQuery(customEmojisQuery)
  const { data: groups, isError, refetch } = useQuery(unicodeEmojisQuery)
  const { skinTone, recentEmojis } = useClientSettings()
  // The emojis used last must not change their places under the pointer.
  const [recent] = useState(recentEmojis)
  const [query, setQuery] = useState('')
  const [chosenTab, setTab] = useState<EmojiTab | null>(null)
  const [shownName, setShownName] = useState('')
  const tabs: EmojiTab[] = [
    ...(recent.length > 0 ? (['recent'] as const) : []),
    ...(custom.length > 0 ? (['custom'] as const) : []),
    ...GROUPS,
  ]
  const tab = chosenTab ?? tabs.find((one) => one !== 'custom')!
  const sections = useMemo(
    () => findSections({ groups: groups ?? [], custom, recent, query, tab, skinTone }),
    [groups, custom, recent, query, tab, skinTone],
  )

  const pick = ({ text }: EmojiChoice) => {
    rememberEmoji(text)
    onPick(text)
  }
  const onSearchKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const first = sections[0]?.choices[0]
    if (event.key === 'ArrowDown')
      document.querySelector<HTMLElement>(`#${CSS.escape(panelId)} [data-emoji][tabindex="0"]`)?.focus()
    else if (event.key === 'Enter' && first && !event.nativeEvent.isComposing) {
      if (query.trim() !== '') pick(first)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const showName = ({ target }: SyntheticEvent) => {
    if (target instanceof Element) setShownName(target.closest('[data-emoji]')?.getAttribute('aria-label') ?? '')
  }
  const count = sections.reduce((sum, { choices }) => sum + choices.length, 0)
  const isSearching = query.trim() !== ''
  return (
    <div className={styles.picker}>
      <input
        type="search"
        className={styles.search}
        aria-label={message('web.emojis.search')}
        placeholder={message('web.emojis.search')}
        autoFocus
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={onSearchKey}
      />
      {!isSearching && <EmojiTabs tabs={tabs} selected={tab} panelId={panelId} onSelect={setTab} />}
      <div
        key={isSearching ? 'search' : tab}
        id={panelId}
        className={styles.panel}
        role={isSearching ? 'group' : 'tabpanel'}
        aria-label={isSearching ? message('web.emojis.results') : message(`web.emojis.${tab}`)}
        onMouseOver={showName}
        onFocus={showName}
      >
        {isError ? (
          <p className={styles.notice} role="alert">
            {message('web.emojis.failed')}{' '}
            <button type="button" className="button button-small" onClick={() => void refetch()}>
              {message('web.retry')}
            </button>
          </p>
        ) : !groups ? (
          <p className={styles.notice}>{message('web.loading')}</p>
        ) : (
          <EmojiGrid sections={sections} onPick={pick} />
        )}
      </div>
      <p className="unseen" role="status">
        {isSearching && groups && message('web.emojis.found', { count })}
      </p>
      <div className={styles.foot}>
        <p className={styles.name} aria-hidden="true">
          {isSearching && groups && count === 0 ? message('web.emojis.not-found') : shownName}
        </p>
        <SkinTones tone={skinTone} onChange={(tone) => clientSettings.change({ skinTone: tone })} />
      </div>
    </div>
  )
}

function findSections({
  groups,
  custom,
  recent,
  query,
  tab,
  skinTone,
}: {
  groups: readonly EmojiRow[][]
  custom: readonly CustomEmoji[]
  recent: readonly string[]
  query: string
  tab: EmojiTab
  skinTone: number
}): Section[] {
  const toChoice = (row: EmojiRow): EmojiChoice => ({ text: withTone(row, skinTone), name: row[1] })
  if (query.trim() !== '') {
    const codes = searchEmojis(custom, query.trim().replaceAll(':', ''))
    const choices = [...codes.map(toCustomChoice), ...searchUnicodeEmojis(groups, query).map(toChoice)]
    return [{ title: null, label: message('web.emojis.results'), choices }]
  }
  if (tab === 'recent') {
    const choices = recent.flatMap((text): EmojiChoice[] => {
      if (text.startsWith(':')) return custom.filter(({ shortcode }) => `:${shortcode}:` === text).map(toCustomChoice)
      const row = findRow(groups, text)
      return row ? [{ text, name: row[1] }] : []
    })
    return [{ title: null, label: message('web.emojis.recent'), choices }]
  }
  if (tab === 'custom')
    return groupEmojis(custom).map(([category, members]) => {
      const title = category ?? message('web.emojis.other')
      return { title, label: title, choices: members.map(toCustomChoice) }
    })
  const rows = groups[GROUPS.indexOf(tab)] ?? []
  return [{ title: null, label: message(`web.emojis.${tab}`), choices: rows.map(toChoice) }]
}

const toCustomChoice = ({ shortcode, staticUrl }: CustomEmoji): EmojiChoice => ({
  text: `:${shortcode}:`,
  name: `:${shortcode}:`,
  url: staticUrl,
})
