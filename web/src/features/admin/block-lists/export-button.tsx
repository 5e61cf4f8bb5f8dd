import { sendRequest } from '../../../lib/api/send-request.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { runOrReport } from '../shared/decisions/undo.ts'

/** The lists that can be exported. */
export type BlockList = 'domain_blocks' | 'domain_allows' | 'email_domain_blocks'

/** Downloads a list as a CSV file. */
export function ExportButton({ list }: { list: BlockList }) {
  const download = async () => {
    const text = await sendRequest<string>({ method: 'GET', path: `/api/v1/admin/export_${list}` })
    const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${list}.csv`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <button type="button" className="button button-line button-small" onClick={() => void runOrReport(download)}>
      {message('web.admin.export')}
    </button>
  )
}
