{{/* Templates here take a part: dict "root" $ "name" "guard" "values" .Values.guard */}}

{{- define "drover.selector" -}}
app.kubernetes.io/name: drover
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{/* Of the labels of users those count that are not the chart's own. "moreLabels" are of one object. */}}
{{- define "drover.labels" -}}
{{- $own := include "drover.selector" . | fromYaml }}
{{- $_ := set $own "app.kubernetes.io/version" .root.Chart.AppVersion }}
{{- $_ := set $own "app.kubernetes.io/managed-by" .root.Release.Service }}
{{- $_ := set $own "helm.sh/chart" (printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_") }}
{{- merge $own (.moreLabels | default dict) .root.Values.commonLabels | toYaml }}
{{- end }}

{{/* metadata of an object in the namespace of the release */}}
{{- define "drover.metadata" -}}
metadata:
  name: drover-{{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "drover.labels" . | nindent 4 }}
{{- end }}

{{- define "drover.clusterMetadata" -}}
metadata:
  name: drover-{{ .name }}
  labels: {{- include "drover.labels" . | nindent 4 }}
{{- end }}
