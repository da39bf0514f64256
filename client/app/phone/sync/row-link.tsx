import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../shell/router.tsx';

export function RowLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} class="list-row">
      <span class="list-text">{children}</span>
      <Icon name="forward" />
    </Link>
  );
}
