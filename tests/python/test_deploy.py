"""The samples of docs/deploy by the tools of those they are for: Kubernetes' schemas, and the names in compose files."""

import unittest
from pathlib import Path

import kubernetes_validate
import yaml

DEPLOY = Path(__file__).resolve().parents[2] / 'docs' / 'deploy'


def objects() -> list:
    return list(yaml.safe_load_all((DEPLOY / 'kubernetes.yaml').read_text()))


def check(sample: dict) -> None:
    kubernetes_validate.validate(sample, kubernetes_validate.latest_version(), strict=True)


class Deployment(unittest.TestCase):
    def test_kubernetes_takes_each_object(self) -> None:
        kinds = [sample['kind'] for sample in objects()]
        self.assertEqual(kinds, ['Deployment', 'Service', 'Ingress', 'PodDisruptionBudget'])
        for sample in objects():
            check(sample)

    def test_the_schemas_find_a_wrong_field(self) -> None:
        deployment = objects()[0]
        deployment['spec']['replica'] = deployment['spec'].pop('replicas')
        with self.assertRaises(kubernetes_validate.ValidationError):
            check(deployment)

    def test_compose_files_name_only_what_they_have(self) -> None:
        for name in ['compose.yaml', 'cluster.compose.yaml']:
            sample = yaml.safe_load((DEPLOY / name).read_text())
            for service in sample['services'].values():
                for secret in service.get('secrets', []):
                    self.assertIn(secret, sample['secrets'])
                for volume in service.get('volumes', []):
                    source = volume.split(':')[0]
                    if not (source.startswith('./') and (DEPLOY / source).exists()):
                        self.assertIn(source, sample['volumes'])
                for other in service.get('depends_on', []):
                    self.assertIn(other, sample['services'])


if __name__ == '__main__':
    unittest.main()
