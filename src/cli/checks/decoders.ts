import { canCutNetwork } from '../../platform/media/confine.ts'
import { care, fine } from './finding.ts'
import type { Finding } from './finding.ts'

/** How well the programs that read uploads and remote media are locked in. */
export async function checkDecoders(): Promise<Finding[]> {
  return [await checkNetwork(), ...checkUser()]
}

async function checkNetwork(): Promise<Finding> {
  if (await canCutNetwork()) return fine('media decoders run without network access')
  const text = 'media decoders have network access: user and network namespaces are unavailable'
  if (process.platform !== 'linux') return care(text, 'only Linux has namespaces')
  return care(
    text,
    'install util-linux and allow unshare: sysctl user.max_user_namespaces above 0, ' +
      'kernel.apparmor_restrict_unprivileged_userns=0, or the seccomp profile of the container; ' +
      "otherwise block access of the server's user to your private network with a firewall",
  )
}

function checkUser(): Finding[] {
  if (process.getuid?.() !== 0) return []
  return [care('media decoders run as root, like the server', 'run Linnet as an ordinary user')]
}
