import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import type { ReactNode } from 'react'
import { locale, message } from '../../lib/i18n/messages.ts'
import { TextField } from '../../ui/forms/form-fields.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import type { IconName } from '../../ui/icons/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { CLIENT_SECTIONS, SERVER_PAGES } from './setting-sections.ts'
import type { ClientSection, ServerPage } from './setting-sections.ts'
import { SettingGroup } from './setting-group.tsx'
import styles from './settings-list.module.css'
import pageStyles from './settings-page.module.css'

const sections = Object.keys(CLIENT_SECTIONS) as ClientSection[]
const pages = Object.keys(SERVER_PAGES) as ServerPage[]

/** All settings, with a field that finds them. */
export function SettingsList() {
  const [typed, setTyped] = useState('')
  const query = useDeferredValue(typed.trim().toLocaleLowerCase(locale))
  const matches = (...texts: string[]) => texts.some((text) => text.toLocaleLowerCase(locale).includes(query))
  const foundSections = sections.filter((id) =>
    matches(message(`web.settings.section.${id}`), ...CLIENT_SECTIONS[id].contains.map((name) => message(name))),
  )
  const foundPages = pages.filter((id) =>
    matches(message(`web.settings.page.${id}`), message(`web.settings.page.${id}.text`)),
  )
  return (
    <div className={pageStyles.page}>
      <TextField type="search" label={message('web.settings.find')} value={typed} onChange={setTyped} />
      <p className="unseen" role="status">
        {query !== '' && message('web.settings.found', { count: foundSections.length + foundPages.length })}
      </p>
      {foundSections.length > 0 && (
        <SettingGroup title={message('web.settings.client')}>
          <ul className={styles.list}>
            {foundSections.map((id) => (
              <li key={id}>
                <Link to="/settings/client/$section" params={{ section: id }} className={styles.row}>
                  <Row
                    icon={CLIENT_SECTIONS[id].icon}
                    title={message(`web.settings.section.${id}`)}
                    text={CLIENT_SECTIONS[id].contains
                      .map((name) => message(name))
                      .filter((text) => query === '' || matches(text))
                      .join(' · ')}
                  />
                </Link>
              </li>
            ))}
          </ul>
        </SettingGroup>
      )}
      {foundPages.length > 0 && (
        <SettingGroup title={message('web.settings.account')}>
          <ul className={styles.list}>
            {foundPages.map((id) => (
              <li key={id}>
                <PageLink id={id}>
                  <Row
                    icon={SERVER_PAGES[id].icon}
                    title={message(`web.settings.page.${id}`)}
                    text={message(`web.settings.page.${id}.text`)}
                  />
                </PageLink>
              </li>
            ))}
          </ul>
        </SettingGroup>
      )}
      {foundSections.length + foundPages.length === 0 && (
        <Notice icon="search" title={message('web.settings.not-found')} />
      )}
    </div>
  )
}

/** A link to a page of the server, or to that of the filters, which this client has. */
function PageLink({ id, children }: { id: ServerPage; children: ReactNode }) {
  const { path } = SERVER_PAGES[id]
  if (path === '/filters')
    return (
      <Link to={path} className={styles.row}>
        {children}
      </Link>
    )
  return (
    <a href={path} className={styles.row}>
      {children}
    </a>
  )
}

function Row({ icon, title, text }: { icon: IconName; title: string; text: ReactNode }) {
  return (
    <>
      <Icon name={icon} />
      <span>
        <strong className={styles.title}>{title}</strong>
        <span className={styles.text}>{text}</span>
      </span>
    </>
  )
}
