import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { adminApi } from '../../../../lib/api/admin-api.ts'
import type { AdminDocumentPreview } from '../../../../lib/api/admin-entities.ts'
import { renderHtml } from '../../../../lib/html/render-html.tsx'
import type { RenderLink } from '../../../../lib/html/render-html.tsx'
import { message } from '../../../../lib/i18n/messages.ts'
import admin from '../admin.module.css'
import styles from './markdown-preview.module.css'

const TYPING_MS = 400

/** Elements of documents that posts do not have. */
const DOCUMENT_ELEMENTS = new Set(['hr', 's', 'table', 'thead', 'tbody', 'tr', 'th', 'td'])

const previewQuery = (text: string) =>
  queryOptions({
    queryKey: ['document-preview', text],
    queryFn: async () => {
      const { content } = (await adminApi('settings', 'preview').create({ text })) as AdminDocumentPreview
      return content
    },
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })

/** Shows a text in Markdown, which the server converts as for its page, when it is opened. `name`: of the text. */
export function MarkdownPreview({ name, text }: { name: string; text: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={styles.part} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        {message('web.admin.preview')}
        <span className="unseen">: {name}</span>
      </summary>
      {isOpen && <Preview label={message('web.admin.preview.of', { name })} text={text} />}
    </details>
  )
}

function Preview({ label, text }: { label: string; text: string }) {
  const [typed, setTyped] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setTyped(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const isBlank = typed.trim() === ''
  const { data, isError, refetch } = useQuery({ ...previewQuery(typed), enabled: !isBlank })
  if (isBlank) return <p className={admin.soft}>{message('web.admin.preview.blank')}</p>
  if (isError)
    return (
      <p role="alert">
        {message('web.admin.preview.failed')}{' '}
        <button type="button" className="button button-line button-small" onClick={() => void refetch()}>
          {message('web.retry')}
        </button>
      </p>
    )
  return (
    // Focusable, so that keyboards can scroll it.
    <div
      className={styles.preview}
      dir="auto"
      role="region"
      aria-label={label}
      aria-busy={data === undefined}
      tabIndex={0}
    >
      {data !== undefined && renderHtml(data, { emojis: [], renderLink, moreElements: DOCUMENT_ELEMENTS })}
    </div>
  )
}

const renderLink: RenderLink = ({ href, children }): ReactNode => (
  <a href={href} target="_blank" rel="noopener nofollow noreferrer">
    {children}
  </a>
)
