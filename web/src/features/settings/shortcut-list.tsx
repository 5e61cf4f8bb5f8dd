import { PAGE_KEYS, SHORTCUTS } from '../../lib/shortcuts.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { MessageId } from '../../lib/i18n/messages.ts'
import styles from './shortcut-list.module.css'

type GroupName = keyof typeof SHORTCUTS
type ShortcutId = Extract<MessageId, `web.shortcuts.${string}`>

/** All shortcuts with what they do. */
export function ShortcutList() {
  return (
    <div className={styles.groups}>
      {(Object.keys(SHORTCUTS) as GroupName[]).map((group) => (
        <section key={group}>
          <h3 className={styles.title}>{message(`web.shortcuts.group.${group}`)}</h3>
          <dl className={styles.list}>
            {Object.entries(SHORTCUTS[group]).map(([name, keys]) => (
              <div key={name} className={styles.row}>
                <dt>{message(`web.shortcuts.${name}` as Exclude<ShortcutId, `${string}.group.${string}`>)}</dt>
                <dd className={styles.keys}>
                  {keys.split(' ').map((key) => (
                    <kbd key={key} className={styles.key}>
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <section>
        <h3 className={styles.title}>{message('web.shortcuts.group.pages')}</h3>
        <dl className={styles.list}>
          {Object.entries(PAGE_KEYS).map(([key, { name }]) => (
            <div key={key} className={styles.row}>
              <dt>{message(name)}</dt>
              <dd className={styles.keys}>
                <kbd className={styles.key}>g</kbd> <kbd className={styles.key}>{key}</kbd>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  )
}
